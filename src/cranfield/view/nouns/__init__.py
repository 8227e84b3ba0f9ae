"""Views of the nouns of all stages before this one."""

from cranfield.view.nouns import (
    collection as collection,
)
from cranfield.view.nouns import (
    recommendation as recommendation,
)
from cranfield.view.nouns import (
    scoring as scoring,
)
from cranfield.view.nouns import (
    significance as significance,
)
from cranfield.view.nouns import (
    validity as validity,
)
