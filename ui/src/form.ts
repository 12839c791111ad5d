import type { ApiError } from './api.ts';

interface FormLike {
  getValues(): object;
  setErrors(errors: Record<string, string>): void;
  getInputNode?: (path: string) => HTMLElement | null;
}
const camel = (s: string): string => s.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase());

/**
 * Shows field errors of the server in a @mantine/form; snake and camel case match, nested names
 * (`routes.0.label`) too. Returns the names that matched a field. Use as `useApiMutation(e, {
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
      if (!own) continue;
      // An error of a list entry (`to.0`) is shown at the control of the list.
      const [head, index] = own.split('.') as [string, string?];
      const list = (values as Record<string, unknown>)[head];
      errors[
        index !== undefined && Array.isArray(list) && typeof list[Number(index)] !== 'object'
          ? head
          : own
      ] = text;
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
  const first = Object.keys(errors)[0];
  if (first) form.getInputNode?.(first)?.focus();
}
