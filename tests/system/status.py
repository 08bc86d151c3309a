#!/usr/bin/python3
"""status and merge, from the first part to the finished file."""
import json
import signal
import time

from harness import INTERRUPTED, WORK_LEFT, SystemTest, main, run, stored


class StatusAndMerge(SystemTest):
    def status(self, code):
        table = self.mixlab("status", "out.h5", code=code).out
        status = json.loads(self.mixlab("status", "out.h5", "--format", "json", code=code).out)
        self.assertIn(f"{status['done']} of {status['total']} trajectories done", table)
        for cell in status["cells"]:
            self.assertRegex(table, rf"cell {cell['cell']} +{cell['done']} / {cell['total']} +{cell['label']}\n")
        self.assertEqual(sum(cell["done"] for cell in status["cells"]), status["done"])
        self.assertEqual(status["complete"], code == 0)
        return status["done"], status["total"], status["parts_waiting"]

    def test_from_nothing_to_merged(self):
        study = self.study(study_part=5)
        self.compute(study, "out.h5", "--shard", "0/2")
        self.assertEqual(self.status(WORK_LEFT), (20, 40, 4))

        before = self.files()
        outcome = self.mixlab("merge", "out.h5", code=WORK_LEFT)
        self.assertIn("20 of 40 trajectories are missing", outcome.err)
        self.assertEqual(self.files(), before, "a refused merge changed files")

        self.compute(study, "out.h5", "--shard", "1/2")
        self.assertEqual(self.status(WORK_LEFT), (40, 40, 8))
        self.mixlab("merge", "out.h5")
        self.assertEqual(self.status(0), (40, 40, 0))

        before = self.files()
        for command in (("merge", "out.h5"), ("run", study, "-o", "out.h5")):
            self.mixlab(*command)
            self.assertEqual(self.files(), before, "nothing was left to do, yet files changed")

    def test_grown(self):
        study = self.study(study_trajectories=10)
        self.compute(study, "out.h5")
        self.compute(study, "out.h5", "--shard", "1/2", "--set", "study.trajectories=30", "--set", "study.part=10")
        self.assertEqual(self.status(WORK_LEFT), (40, 60, 2))

    def test_parts_at_work(self):
        study = self.study(study_trajectories=10 ** 6, study_part=10 ** 6)
        process = self.start("run", study, "-o", "out.h5", "--quiet")
        try:
            status = {}
            deadline = time.monotonic() + 60
            while not status.get("parts_at_work") and time.monotonic() < deadline:
                time.sleep(0.2)
                outcome = run(("status", "out.h5", "--format", "json"), folder=self.folder)
                status = json.loads(outcome.out) if outcome.code == WORK_LEFT else {}
            self.assertEqual(status["parts_at_work"][0], {"cell": 0, "first": 0, "end": 10 ** 6})
            self.assertIn("part at work: cell 0, trajectories 0 to 999999",
                          self.mixlab("status", "out.h5", code=WORK_LEFT).out)
        finally:
            process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), INTERRUPTED)
        self.assertEqual(json.loads(self.mixlab("status", "out.h5", "--format", "json", code=WORK_LEFT).out)
                         ["parts_at_work"], [])

    def shards_apart(self):
        study = self.study(study_part=5)
        for i in (0, 1):
            (self.folder / f"node{i}").mkdir()
            self.compute(study, f"node{i}/study.h5", "--shard", f"{i}/2")
        return self.compute(study, "whole.h5")

    def test_merge_of_folders_again_changes_nothing(self):
        whole = self.shards_apart()
        command = ("merge", "out.h5", "node0/study.h5.parts", "node1/study.h5.parts")
        self.mixlab(*command)
        before = stored(self.folder / "out.h5")[1]
        self.mixlab(*command)
        self.assert_same(whole, "out.h5")
        self.assertEqual(stored(self.folder / "out.h5")[1], before)

    def test_merge_of_folders_one_by_one(self):
        whole = self.shards_apart()
        self.mixlab("merge", "out.h5", "node1/study.h5.parts", "--partial")
        self.mixlab("merge", "out.h5", "node0/study.h5.parts")
        self.assert_same(whole, "out.h5")

    def test_merge_of_folders_with_a_slash(self):
        whole = self.shards_apart()
        self.mixlab("merge", "out.h5", "node0/study.h5.parts/", "node1/study.h5.parts/")
        self.assert_same(whole, "out.h5")


if __name__ == "__main__":
    main()
