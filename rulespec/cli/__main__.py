"""`python -m rulespec.cli` is the same as `rulespec`."""

from rulespec.cli.app import main

if __name__ == "__main__":
    main(prog_name="rulespec")
