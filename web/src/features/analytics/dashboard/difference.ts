import { formatNumber } from '#ui';

/** `+12`, `−3` or `±0`. */
export const differenceText = (by: number): string =>
  by === 0 ? '±0' : by > 0 ? `+${formatNumber(by)}` : `−${formatNumber(-by)}`;
