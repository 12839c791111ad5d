import { useEffect, useRef } from 'react';
import type { ApiError } from './api.ts';

interface FormLike {
  getValues(): object;
  setErrors(errors: Record<string, string>): void;
  getInputNode?: (path: string) => HTMLElement | null;
}
const isHolder = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * Where in a form's values an error belongs: its path, or as much of it as the form holds. An entry
 * of a list of texts belongs to the list, which is one control.
 */
function placeOf(values: object, path: string): string {
  const place: string[] = [];
  let value: unknown = values;
  for (const key of path.split('.')) {
    if (!isHolder(value) || !(key in value)) break;
    if (Array.isArray(value) && !isHolder(value[Number(key)])) break;
    place.push(key);
    value = value[key];
  }
  return place.join('.');
}
const camel = (s: string): string => s.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase());

/**
 * Shows field errors of the server in a @mantine/form; snake and camel case match, nested names
 * (`routes.0.label`) too, and an entry of a text box that is split into a list (`to.0`) is shown at
 * the box. Returns the names that matched a field. Use as `useApiMutation(e, {
 * onFieldErrors: bindFieldErrors(form) })`.
 */
export const bindFieldErrors =
  (form: FormLike, names: Record<string, string> = {}) =>
  (error: ApiError): string[] => {
    const values = form.getValues();
    const errors: Record<string, string> = {};
    const handled: string[] = [];
    for (const [field, text] of Object.entries(error.fields)) {
      const own = [names[field], field, camel(field)].find(
        (n) => n !== undefined && (n.split('.')[0] ?? '') in values,
      );
      if (own === undefined) continue;
      const place = placeOf(values, own);
      // The first of several at one control.
      errors[place] ??= text;
      handled.push(field);
    }
    if (handled.length) {
      form.setErrors(errors);
      focusFirstError(form, errors);
    }
    return handled;
  };

/**
 * Scrolls to and focuses the first field with an error. Also for `form.onSubmit(save, (errors) =>
 * focusFirstError(form, errors))`.
 */
export function focusFirstError(form: FormLike, errors: Record<string, unknown>): void {
  for (const place of Object.keys(errors)) {
    const node = form.getInputNode?.(place);
    if (node) return node.focus();
  }
}

/**
 * Shows what is saved, also by someone else meanwhile, unless the form has unsaved changes; then as
 * soon as they are saved or discarded.
 * @param values as saved, of plain JSON
 */
export function useFollowSaved<V extends object>(
  form: { isDirty(): boolean; setInitialValues(values: V): void; reset(): void },
  values: V,
): void {
  const saved = JSON.stringify(values);
  const shown = useRef(saved);
  const isDirty = form.isDirty();
  useEffect(() => {
    if (isDirty || shown.current === saved) return;
    shown.current = saved;
    form.setInitialValues(JSON.parse(saved) as V);
    form.reset();
  }, [saved, isDirty, form]);
}
