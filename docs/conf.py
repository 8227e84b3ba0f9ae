"""The documentation site: `make docs` builds it into build/docs, warnings being errors."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import TYPE_CHECKING

import cranfield

if TYPE_CHECKING:
    from docutils.nodes import document
    from sphinx.application import Sphinx

HERE = Path(__file__).parent
ROOT = HERE.parent
NOTEBOOKS = [f"tutorials/{each.stem}" for each in sorted((ROOT / "examples").glob("*.md"))]

project = "Cranfield"
author = "The Cranfield developers"
copyright = author  # noqa: A001  (the name that Sphinx reads)
release = cranfield.__version__

extensions = ["myst_nb", "sphinx_copybutton", "sphinx_design"]
exclude_patterns = ["_build", "**.ipynb_checkpoints"]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
nb_execution_mode = "cache"
nb_execution_cache_path = str(ROOT / "build" / "notebooks")
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 900  # the first run compiles
nb_merge_streams = True
copybutton_exclude = ".linenos, .gp, .go"

html_theme = "pydata_sphinx_theme"
html_title = project
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["../build/gallery"]
html_favicon = "_static/mark.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_use_index = False  # no page names anything for it
html_context = {"default_mode": "auto"}
html_theme_options = {
    "logo": {"text": project, "image_light": "_static/mark.svg", "image_dark": "_static/mark.svg"},
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "header_links_before_dropdown": 9,
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "secondary_sidebar_items": {
        "**": ["page-toc"],
        "index": [],
        "comparison": [],
        **dict.fromkeys(NOTEBOOKS, ()),
    },
    "footer_start": [],
    "footer_end": [],
}
html_sidebars: dict[str, list[str]] = {
    page: [] for page in ("index", "start", "gallery", "performance", "reliability")
}


def gather_notebooks(source: Path, target: Path) -> None:
    """Copy the notebooks to where the site has them.

    Those that are there already are left alone, so that Sphinx need not read them again.
    """
    target.mkdir(exist_ok=True)
    wanted = {each.name: each.read_text("utf-8") for each in sorted(source.glob("*.md"))}
    for each in target.glob("*.md"):
        if each.name not in wanted:
            each.unlink()
    for name, text in wanted.items():
        place = target / name
        if not place.exists() or place.read_text("utf-8") != text:
            place.write_text(text, encoding="utf-8")


LINKS = {
    "](../docs/": "](../",
    "](../../CONTRIBUTING.md": "](../contributing.md",
    "](../CONTRIBUTING.md": "](contributing.md",
}
"""Links as they work in the repository, and the same links on the site."""
_NOTEBOOK = re.compile(r"\]\(((?:\.\./)?)\.\./examples/([\w-]+\.md)")
_PICTURE = re.compile(r"^!\[[^]]*\]\(((?:concepts/)?pictures/[a-z-]+\.svg)\)$", re.MULTILINE)
"""A picture of our own, alone on its line."""


def follow_links(_app: Sphinx, _page: str, text: list[str]) -> None:
    """Turn links between files of the repository into links between pages."""
    for there, here in LINKS.items():
        text[0] = text[0].replace(there, here)
    text[0] = _NOTEBOOK.sub(r"](\1tutorials/\2", text[0])


def draw_pictures(_app: Sphinx, page: str, text: list[str]) -> None:
    """Put pictures into the page itself, where their colours follow its light or dark theme."""
    folder = (HERE / page).parent
    text[0] = _PICTURE.sub(lambda found: _inline(folder / found[1]), text[0])


def _inline(picture: Path) -> str:
    drawn = picture.read_text(encoding="utf-8").strip()
    return f"```{{raw}} html\n<figure>{drawn}</figure>\n```"


def drop_wiped_bars(_app: Sphinx, page: document, _name: str) -> None:
    """Leave out outputs without text: the line of a progress bar stays empty at its end."""
    from docutils.nodes import literal_block

    for block in list(page.findall(literal_block)):
        if "text_plain" in block["classes"] and not block.astext().strip():
            block.parent.remove(block)


def setup(app: Sphinx) -> None:
    """Bring notebooks and reports before pages are looked for, and read pages with their links."""
    gather_notebooks(ROOT / "examples", HERE / "tutorials")
    runpy.run_path(str(HERE / "gallery.py"))["build"]()
    app.connect("source-read", follow_links)
    app.connect("source-read", draw_pictures)
    app.connect("doctree-resolved", drop_wiped_bars)
