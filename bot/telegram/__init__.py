"""The bot on Telegram."""

import os

# Periods of time as `timedelta`, as the library's next version has them; without it each 429 warns.
os.environ.setdefault("PTB_TIMEDELTA", "true")
