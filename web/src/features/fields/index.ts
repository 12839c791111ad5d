/** The public API of this feature. */
export { CustomFields, type SetValue } from './CustomFields.tsx';
export { FieldFilters, parseFieldFilters } from './FieldFilters.tsx';
export { FieldInput } from './FieldInput.tsx';
export { useFieldColumns, useFields } from './use-fields.tsx';
