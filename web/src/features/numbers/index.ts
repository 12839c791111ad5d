/** Public API of the numbers feature. */
export { NumbersTabs } from './NumbersTabs.tsx';
export { GreetingPicker } from './details/GreetingPicker.tsx';
export {
  canBeDefault,
  sourceName,
  typeDescription,
  typeName,
  typeOptions,
} from './greeting-labels.ts';
export { months } from './labels.ts';
export { numberLists } from './number-lists.ts';
