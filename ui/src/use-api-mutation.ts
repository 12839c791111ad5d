import { useCallback } from 'react';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Answer, AnyEndpoint } from '#contract/kit';
import { api, errorToast, ApiError, type ApiInput, type ApiOptions } from './api.ts';
import { invalidate, type Undo } from './query-cache.ts';
import { session } from './session.ts';
import { toast, type ToastContent } from './toast.ts';

interface MutationOptions<E extends AnyEndpoint> extends ApiOptions {
  /** Toast after success; a function can return null for none. */
  success?:
    | string
    | ToastContent
    | ((response: Answer<E>, input: ApiInput<E>) => string | ToastContent | null);
  /**
   * Changes the cache before the response; the returned undo runs on an error (A §8: optimistic
   * changes are undone).
   */
  optimistic?: (cache: QueryClient, input: ApiInput<E>) => Undo | void;
  /** Endpoints whose responses this changes; refetched after success and after an undo. */
  invalidates?: readonly AnyEndpoint[];
  /**
   * Shows field errors (see `bindFieldErrors`); returns the fields it showed. The toast contains
   * only the others.
   */
  onFieldErrors?: (error: ApiError) => readonly string[];
  onSuccess?: (response: Answer<E>, input: ApiInput<E>) => void;
}

/**
 * Shows errors at their fields, and those without a field in a toast. False when no field was
 * found: the caller shows the whole error. What a form took and no control of it shows follows in a
 * toast: an error never goes unseen.
 */
function showFieldErrors(
  error: ApiError,
  onFieldErrors: (error: ApiError) => readonly string[],
): boolean {
  const shown = onFieldErrors(error);
  const isShown = ({ field }: Detail) => field !== undefined && shown.includes(field);
  if (!error.details.some(isShown)) return false;
  toastDetails(
    error,
    error.details.filter((detail) => !isShown(detail)),
  );
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      toastDetails(
        error,
        error.details.filter((one) => isShown(one) && !isOnPage(one.detail)),
      ),
    ),
  );
  return true;
}

type Detail = ApiError['details'][number];
const isOnPage = (text: string): boolean => document.body.textContent.includes(text);

function toastDetails(error: ApiError, details: Detail[]): void {
  if (details.length === 0) return;
  toast.show({
    ...errorToast(
      new ApiError(error.status, error.body, details, error.code, error.requestId),
      session.get().supportEmail,
    ),
    ms: 10_000,
  });
}

/**
 * A write. `mutate(input)` resolves to the response (an empty object for 204), or to null on an
 * error, which was shown already.
 */
export function useApiMutation<E extends AnyEndpoint>(
  endpoint: E,
  options: MutationOptions<E> = {},
) {
  const cache = useQueryClient();
  const {
    success,
    optimistic,
    invalidates = [],
    onFieldErrors,
    onSuccess,
    silent,
    ...call
  } = options;
  const mutation = useMutation<Answer<E>, ApiError, ApiInput<E>, Undo | void>({
    mutationFn: (input) =>
      api(endpoint, input, {
        idempotencyKey: true,
        ...call,
        silent: (error) =>
          // Also of a silent write: the caller shows what has no field.
          (onFieldErrors !== undefined && showFieldErrors(error, onFieldErrors)) ||
          (typeof silent === 'function' ? silent(error) : (silent ?? false)),
      }),
    onMutate: (input) => optimistic?.(cache, input),
    onError: (_error, _input, undo) => undo?.(),
    onSuccess: (response, input) => {
      const toastContent = typeof success === 'function' ? success(response, input) : success;
      if (toastContent)
        toast.show(
          typeof toastContent === 'string'
            ? { type: 'success', title: toastContent }
            : { type: 'success', ...toastContent },
        );
      onSuccess?.(response, input);
    },
    onSettled: () => invalidate(cache, ...invalidates.map((e) => e.name)),
  });
  const { mutateAsync } = mutation;
  const mutate = useCallback(
    (input: ApiInput<E> = {}): Promise<Answer<E> | null> =>
      mutateAsync(input).then(
        (response) => response ?? ({} as Answer<E>),
        () => null,
      ),
    [mutateAsync],
  );
  return {
    mutate,
    isPending: mutation.isPending,
    error: mutation.error,
    reset: mutation.reset,
  };
}
