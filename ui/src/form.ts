import type { ApiError } from './api.ts';

interface FormLike {
  getValues(): object;
  setErrors(errors: Record<string, string>): void;
  getInputNode?: (path: string) => HTMLElement | null;
}
const camel = (s: string): string => s.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase());

/**
 * Puts the server's words at the fields of a @mantine/form, in snake or camel case alike; nested names (`routes.0.label`)
 * go where the form has them. Returns the server's names it found a place for. Use as `useTell(e, { form: bindRefusal(form) })`.
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
      // What is wrong with one of a list of words (`to.0`) stands at the control that holds them all.
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

/** Bring the first field with an error into view and focus. Also for `form.onSubmit(save, (errors) => focusFirst(form, errors))`. */
export function focusFirstError(form: FormLike, errors: Record<string, unknown>): void {
  const first = Object.keys(errors)[0];
  if (first) form.getInputNode?.(first)?.focus();
}
