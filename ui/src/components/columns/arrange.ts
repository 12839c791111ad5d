/** What a person made of a list's columns: their order, which are hidden, how wide they are. */
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

/** The first column and columns without a title (menus) stay where they are. */
export const isFixed = (columns: readonly LayoutColumn[], key: string): boolean =>
  columns[0]?.key === key || !columns.find((c) => c.key === key)?.title;

/**
 * The list's columns as a layout has them. A column the layout does not know (a new custom field) comes after the others,
 * shown or hidden as the list says; one the list no longer has is left out. Without a layout: as the list comes.
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

/** Are two layouts the same to look at? */
export const sameLayout = (a: readonly ColumnLayout[], b: readonly ColumnLayout[]): boolean =>
  JSON.stringify(a.map(({ key, width, hidden }) => [key, width, hidden])) ===
  JSON.stringify(b.map(({ key, width, hidden }) => [key, width, hidden]));
