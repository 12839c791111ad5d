import type { OptionsFilter } from '@mantine/core';
import { foldedIncludes } from '#contract/fold';

type Options = Parameters<OptionsFilter>[0]['options'];

/** The options that contain what was typed, as all searches compare texts: "jose" finds José. */
export const optionsFilter: OptionsFilter = ({ options, search, limit }) => {
  const found: Options = [];
  let left = limit;
  for (const option of options) {
    if (left <= 0) break;
    if ('group' in option) {
      const items = option.items
        .filter(({ label }) => foldedIncludes(label, search))
        .slice(0, left);
      left -= items.length;
      found.push({ ...option, items });
    } else if (foldedIncludes(option.label, search)) {
      left--;
      found.push(option);
    }
  }
  return found;
};
