"""What tests of mechanisms share."""

import pytest


@pytest.fixture(scope="module")
def kernel_cache(tmp_path_factory):
    """Nothing is left in the user's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield
