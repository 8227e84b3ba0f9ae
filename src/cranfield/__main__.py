"""``python -m cranfield``: the same as the command ``cranfield``."""

from cranfield.workbench.cli.main import main

raise SystemExit(main())
