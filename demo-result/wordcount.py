"""Count how often each word occurs in files or standard input."""

import argparse
import fileinput
import re
import sys
from collections import Counter

# Letters and digits of any language; an apostrophe belongs to a word only between them.
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


def count_words(lines):
    counts = Counter()
    for line in lines:
        counts.update(word.lower() for word in WORD.findall(line))
    return counts


def rank(counts):
    """Return (word, count) pairs, the most frequent first, ties in alphabetical order."""
    return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))


def positive_integer(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {number}")
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE", help="files to read (default: standard input)")
    parser.add_argument("--top", type=positive_integer, metavar="N", help="print only the N most frequent words")
    args = parser.parse_args()

    try:
        with fileinput.input(args.files, encoding="utf-8") as lines:
            counts = count_words(lines)
    except OSError as error:
        sys.exit(f"wordcount.py: {error.filename}: {error.strerror}")
    for word, count in rank(counts)[: args.top]:
        print(f"{count} {word}")


if __name__ == "__main__":
    main()
