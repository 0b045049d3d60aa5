import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("wordcount.py")


def wordcount(*arguments, text=""):
    return subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, arguments)],
        input=text,
        capture_output=True,
        encoding="utf-8",
    )


@pytest.fixture
def write(tmp_path):
    def write_file(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


def test_counts_words_over_all_files_together(write):
    result = wordcount(write("a.txt", "red blue\n"), write("b.txt", "red\n"))
    assert (result.stdout, result.returncode) == ("2 red\n1 blue\n", 0)


def test_reads_standard_input_without_a_file():
    result = wordcount(text="one two one")
    assert (result.stdout, result.returncode) == ("2 one\n1 two\n", 0)


def test_sorts_by_count_and_then_alphabetically():
    assert wordcount(text="pear fig apple fig").stdout == "2 fig\n1 apple\n1 pear\n"


def test_top_prints_only_the_first_lines():
    assert wordcount("--top", 2, text="b a c b").stdout == "2 b\n1 a\n"


def test_top_stands_before_or_after_the_files(write):
    path = write("a.txt", "b a c b")
    assert wordcount("--top", 1, path).stdout == "2 b\n"
    assert wordcount(path, "--top", 1).stdout == "2 b\n"


def test_an_apostrophe_belongs_to_a_word_only_between_letters():
    result = wordcount(text="Don't stop, don't 'stop' re-use")
    assert result.stdout == "2 don't\n2 stop\n1 re\n1 use\n"


def test_case_is_ignored_and_an_underscore_separates():
    assert wordcount(text="Über snake_case SNAKE").stdout == "2 snake\n1 case\n1 über\n"


def test_a_missing_file_is_named_on_standard_error(write):
    present = write("a.txt", "red")
    result = wordcount(present, present.with_name("missing.txt"))
    assert (result.stdout, result.returncode) == ("", 1)
    assert "missing.txt" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("number", ["0", "two"])
def test_top_refuses_what_is_not_a_positive_whole_number(number):
    result = wordcount("--top", number, text="a b")
    assert (result.stdout, result.returncode) == ("", 2)
    assert "--top" in result.stderr
