"""Why a mechanism has no specialised kernel."""


class Unsuited(Exception):
    """It goes on with the general one; the words continue "because ..."."""
