"""The application: requests, the guard before them, and the page itself."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

from bondline import __version__
from bondline.errors import BondlineError
from bondline.web import (
    live,
    routes_home,
    routes_model,
    routes_partners,
    routes_results,
    routes_run,
    routes_sweep,
)
from bondline.web.desk import Desk, complain, misunderstand, surprised
from bondline.web.guard import Door, Guard
from bondline.web.processes import Processes
from bondline.web.project import Project
from bondline.web.vault import Vault

STATIC = Path(str(resources.files("bondline.web") / "static"))


_ROUTES = (
    *(routes_home, routes_model, routes_run, routes_results),
    *(routes_sweep, routes_partners),
)


def make_app(folder: Path, door: Door, vault: Vault) -> FastAPI:
    """The page over the project in `folder`."""
    app = FastAPI(
        title="Bondline",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,  # they would load programs from elsewhere
        redoc_url=None,
    )
    project = Project(folder)
    app.state.desk = Desk(project, door, vault, Processes(project))
    for routes in _ROUTES:
        app.include_router(routes.api)
    app.include_router(live.live)
    app.add_exception_handler(BondlineError, complain)
    app.add_exception_handler(RequestValidationError, misunderstand)
    app.add_exception_handler(Exception, surprised)
    app.add_middleware(Guard, door=door, vault=vault)
    _page(app)
    return app


def _page(app: FastAPI) -> None:
    app.mount("/assets", StaticFiles(directory=STATIC / "assets", check_dir=False))

    @app.get("/favicon.svg", include_in_schema=False)
    def icon() -> FileResponse:
        return FileResponse(STATIC / "favicon.svg")

    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(STATIC / "index.html")
