"""What the attacks share; attack_*.py has every attack that once got through, a file for each of their targets."""
import os

from harness import BAD_INPUT, SystemTest

FAILURE = 1
FAULTS = os.environ.get("MIXLAB_FAULTS")


class AttackTest(SystemTest):
    def shards(self, out="out.h5", **changes):
        """A study whose parts are done and not merged."""
        study = self.study(**{"study_part": 10, **changes})
        for i in (0, 1):
            self.compute(study, out, "--shard", f"{i}/2")
        return study, sorted((self.folder / f"{out}.parts").glob("c*.h5"))

    def assert_refused(self, *args, words=(), code=BAD_INPUT):
        outcome = self.mixlab(*args, code=code)
        self.assertEqual(outcome.err.count("\n"), 1, outcome.err)
        for word in words:
            self.assertIn(str(word), outcome.err)
        return outcome
