"""`python -m bondline.cli` is the command `bondline`, too."""

import sys

from bondline.cli import main

sys.exit(main())
