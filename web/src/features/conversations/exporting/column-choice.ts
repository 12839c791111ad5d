import {
  exportColumns,
  defaultColumns,
  type ExportEntity,
} from '#contract/fields/presets/export-columns';

/** Every column and whether it is selected, in the order of the file. */
export interface ColumnChoice {
  key: string;
  on: boolean;
}
const storageKey = (entity: ExportEntity): string => `trunkline.export.${entity}`;

/**
 * The columns last chosen on this device, or the defaults. New columns are appended; removed ones
 * are dropped.
 */
export function loadColumnChoice(entity: ExportEntity, usual = false): ColumnChoice[] {
  const all = Object.keys(exportColumns[entity]);
  const start: string[] = [...defaultColumns[entity]];
  let kept: ColumnChoice[] = [];
  if (!usual)
    try {
      kept = (
        JSON.parse(localStorage.getItem(storageKey(entity)) ?? '[]') as ColumnChoice[]
      ).filter((c) => all.includes(c.key));
    } catch {
      /* unreadable: the usual */
    }
  const first = kept.length ? kept : start.map((key) => ({ key, on: true }));
  return [
    ...first,
    ...all.filter((key) => !first.some((c) => c.key === key)).map((key) => ({ key, on: false })),
  ];
}
/** Stores the chosen columns on this device. */
export const saveColumnChoice = (entity: ExportEntity, chosen: readonly ColumnChoice[]): void => {
  try {
    localStorage.setItem(storageKey(entity), JSON.stringify(chosen));
  } catch {
    /* full or forbidden: this time only */
  }
};
/** The list with one item moved; positions count from 0. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [one] = next.splice(from, 1);
  if (one !== undefined) next.splice(to, 0, one);
  return next;
}
