/** A person's column layout: order, hidden columns, widths. */
export interface ColumnLayout {
  key: string;
  width: number | null;
  hidden: boolean;
}
interface LayoutColumn {
  key: string;
  title: string;
  width?: string;
  hidden?: boolean;
}

/** The first column and columns without a title (menus) can't be moved. */
export const isFixed = (columns: readonly LayoutColumn[], key: string): boolean =>
  columns[0]?.key === key || !columns.find((c) => c.key === key)?.title;

/**
 * The columns in a layout's order. Columns missing from the layout (a new custom field) come last
 * with their default visibility; columns the list no longer has are dropped. Without a layout: the
 * list's default.
 */
export function arrangeColumns<C extends LayoutColumn>(
  columns: readonly C[],
  layout: readonly ColumnLayout[] | null,
): (C & { placed: ColumnLayout })[] {
  const place = new Map((layout ?? []).map((p, i) => [p.key, { ...p, i }]));
  const placed = columns.map((c, i) => {
    const p = place.get(c.key);
    const fixed = isFixed(columns, c.key);
    return {
      column: c,
      at: c === columns[0] ? -1 : !c.title ? 10_000 : (p?.i ?? (layout ? 1000 + i : i)),
      placed: {
        key: c.key,
        width: p?.width ?? null,
        hidden: fixed ? false : (p?.hidden ?? c.hidden ?? false),
      },
    };
  });
  return placed
    .sort((a, b) => a.at - b.at)
    .map(({ column, placed: p }) => ({
      ...column,
      ...(p.width !== null ? { width: `${p.width}px` } : {}),
      placed: p,
    }));
}

/** Whether two layouts look the same. */
export const sameLayout = (a: readonly ColumnLayout[], b: readonly ColumnLayout[]): boolean =>
  JSON.stringify(a.map(({ key, width, hidden }) => [key, width, hidden])) ===
  JSON.stringify(b.map(({ key, width, hidden }) => [key, width, hidden]));
