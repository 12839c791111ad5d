export { placeTakenBy, removeTag } from './tags/store.ts';
export { tagsByName } from './tags/tags-by-name.ts';
export {
  fieldsFilledByAi,
  fieldsFor,
  findField,
  type FieldScope,
} from './definitions/fields-for.ts';
export { organizationFieldRows, type FieldRow } from './definitions/store.ts';
export { valuesOf, valuesOfOne } from './values/values-of.ts';
export {
  deleteValues,
  readValues,
  setManyValues,
  setValues,
  type ValueInput,
  type ValueChange,
} from './values/set-values.ts';
export { fieldFilter } from './values/field-filter.ts';
