import os
import pathlib
import unittest

import hlolint

PROJECT = pathlib.Path(os.environ["HLOLINT_PROJECT"])
TRACE = PROJECT / "tests/data/profile/jit_train_step.trace.json"
SAMPLE = PROJECT / "tests/data/sample/module_0042.jit_train_step.cl_1.after_codegen.txt"


class Profiles(unittest.TestCase):
    def test_alone(self):
        read = hlolint.profile(TRACE)
        self.assertEqual([m.device for m in read.modules], ["/device:TPU:0", "/device:TPU:1"])
        self.assertEqual(read.modules[0].runs, 3)
        self.assertGreater(read.exposed_us, 1000)
        self.assertGreater(read.step_us, 20000)
        self.assertIn("jit_train_step", str(read))
        read.assert_exposed(2000)
        with self.assertRaises(AssertionError):
            read.assert_exposed(100)

    def test_with_dumps(self):
        read = hlolint.profile(TRACE, dumps=SAMPLE, device="tpu-v5e")
        self.assertIsNotNone(read.modules[0].estimate_us)
        self.assertTrue(all("estimate_us" in o for o in read.modules[0].operations))

    def test_no_profile(self):
        with self.assertRaises(hlolint.UsageError):
            hlolint.profile(SAMPLE)


if __name__ == "__main__":
    unittest.main()
