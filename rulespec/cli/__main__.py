"""`python -m rulespec.cli` is the same as `rulespec`."""

from rulespec.cli import main

if __name__ == "__main__":
    main()
