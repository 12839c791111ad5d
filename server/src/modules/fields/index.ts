import { owns as definitionOwns } from './definitions/store.ts';
import { owns as presetOwns } from './presets/store.ts';
import { owns as tagOwns } from './tags/store.ts';
import { owns as valueOwns } from './values/store.ts';

export const owns = [...definitionOwns, ...valueOwns, ...tagOwns, ...presetOwns] as const;
export { answers } from './routes.ts';
export { jobs } from './jobs.ts';
export { tagsNamed } from './tags/tags-named.ts';
export { fieldMeant, fieldsFor, type Here } from './definitions/fields-for.ts';
export { type FieldRow } from './definitions/store.ts';
export { valuesOf } from './values/values-of.ts';
export {
  forgetValues,
  readValues,
  setManyValues,
  setValues,
  type SaidValue,
  type ValueChange,
} from './values/set-values.ts';
export { fieldFilter } from './values/field-filter.ts';
