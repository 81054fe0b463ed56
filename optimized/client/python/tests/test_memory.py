"""Every method once, on memories of 256 words and of 256 rows of 3 words with the lean protocol, whose settings DUORAM_TEST_CONFIG and
DUORAM_TEST_CONFIG_OF_ROWS name."""

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

    def test_rows(self):
        with Memory(os.environ["DUORAM_TEST_CONFIG_OF_ROWS"]) as memory:
            self.assertEqual((len(memory), memory.row_words), (256, 3))
            memory.load([(row + 5 * word + 3) % 256 for row in range(256) for word in range(3)])
            self.assertEqual(memory.read_rows([1, 2, 1]), [[4, 9, 14], [5, 10, 15], [4, 9, 14]])
            self.assertEqual(memory.chase_row(0, 5), [15, 20, 25])
            memory.update_rows([(1, [7, 0, 1]), (2, [0, 7, 0]), (1, [8, 8, 8])])
            self.assertEqual(memory.read_rows([1, 2]), [[4 ^ 7 ^ 8, 9 ^ 8, 14 ^ 1 ^ 8], [5, 10 ^ 7, 15]])
            memory.write_row(200, [-1, 0, 1])
            self.assertEqual(memory.swap_row(200, [1, 2, 3]), [2**64 - 1, 0, 1])
            self.assertEqual(memory.read_rows([]), [])
            for wrong in ([1, 2], [1, 2, 3, 4]):
                with self.assertRaisesRegex(Invalid, "a row of 3 words"):
                    memory.write_row(0, wrong)
            for call in (lambda: memory[1], lambda: memory.write(1, 1), lambda: memory.chase(0, 1)):
                with self.assertRaisesRegex(Invalid, "expected 3 words"):
                    call()

    def test_what_cannot_be_opened(self):
        with self.assertRaisesRegex(Error, "/there/is/no/file: "):
            Memory("/there/is/no/file")


if __name__ == "__main__":
    unittest.main()
