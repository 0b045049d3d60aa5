/** A Python module of about 300 lines with 40 tests: twenty small functions of the usual kinds, each tested twice. */
export function warehouse(): Record<string, string> {
  const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
  return {
    "warehouse.py": `"""Stock, prices and orders of a warehouse."""\n\n\n${numbers.map(functionOf).join("\n\n")}`,
    "tests/test_warehouse.py": `import pytest\n\nimport warehouse\n\n\n${numbers.map(testsOf).join("\n\n")}`,
  };
}

const functionOf = (number: number) => `def order_${number}(items, limit=${number + 2}, member=False):
    """Sum of the items that count, with a discount for members."""
    if not items:
        raise ValueError("no items")
    total = 0
    skipped = []
    for item in items:
        if item < 0 or item > limit * ${number + 1}:
            skipped.append(item)
            continue
        total += item * ${number}
    if member and total > ${number * 3}:
        total = total - ${number}
    return {"total": total, "skipped": skipped}
`;

const testsOf = (number: number) => `def test_order_${number}():
    most = ${(number + 2) * (number + 1)}
    assert warehouse.order_${number}([0, 1, most]) == {"total": ${number} * (1 + most), "skipped": []}
    assert warehouse.order_${number}([-1, 1, most + 1]) == {"total": ${number}, "skipped": [-1, most + 1]}


def test_order_${number}_of_a_member():
    assert warehouse.order_${number}([3], member=True)["total"] == ${number * 3}
    assert warehouse.order_${number}([3, 1], member=True)["total"] == ${number * 3}
    with pytest.raises(ValueError):
        warehouse.order_${number}([])
`;
