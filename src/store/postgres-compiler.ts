import { ColumnDefinitionNode, type DataTypeNode, PostgresQueryCompiler } from "kysely";

/**
 * Gives columns types that hold the same values as SQLite's: integers and floats of 64 bits, and text sorted by its
 * bytes, whatever the server's locale.
 */
export class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    const type = this.parentNode && ColumnDefinitionNode.is(this.parentNode) ? COLUMNS[node.dataType] : undefined;
    if (type === undefined) super.visitDataType(node);
    else this.append(type);
  }
}

const COLUMNS: Record<string, string | undefined> = {
  integer: "bigint",
  real: "double precision",
  text: 'text collate "C"',
};
