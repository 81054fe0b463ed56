"""Every method once, on a memory of 256 words with the lean protocol, whose settings DUORAM_TEST_CONFIG names."""

import os
import unittest

from duoram_client import Error, Invalid, Memory


class MemoryTest(unittest.TestCase):
    def test_all(self):
        with Memory(os.environ["DUORAM_TEST_CONFIG"]) as memory:
            self.assertEqual(len(memory), 256)
            memory.load([(word + 3) % 256 for word in range(256)])
            self.assertEqual(memory.read([1, 2, 1]), [4, 5, 4])
            self.assertEqual(memory.chase(0, 5), 15)
            memory.update([(1, 7), (2, 7), (1, 8)])
            self.assertEqual(memory.read([1, 2]), [4 ^ 7 ^ 8, 5 ^ 7])
            memory[200] = -1
            self.assertEqual(memory[200], 2**64 - 1)
            self.assertEqual(memory.swap(200, 1), 2**64 - 1)
            self.assertEqual(memory.read([]), [])
            with self.assertRaisesRegex(Invalid, "below 256"):
                memory.write(256, 1)
            for wrong in (-1, 2**64):
                with self.assertRaises(Invalid):
                    memory.read([wrong])
            with self.assertRaises(Invalid):
                memory.write(0, 2**64)
            with self.assertRaises(Invalid):
                memory.chase(0, 0)
        with self.assertRaisesRegex(Invalid, "memory: "):
            memory.write(0, 1)

    def test_what_cannot_be_opened(self):
        with self.assertRaisesRegex(Error, "/there/is/no/file: "):
            Memory("/there/is/no/file")


if __name__ == "__main__":
    unittest.main()
