"""`python -m bondline` is the command `bondline`."""

import sys

from bondline.cli import main

sys.exit(main())
