import { useState } from 'react';
import { ApiError } from '#ui';

/**
 * Work of several requests, of which one can fail: `run` starts it, and `error` is what the last one
 * ended with. Null while all went well.
 */
export function useRun() {
  const [error, setError] = useState<ApiError | null>(null);
  const [isPending, setPending] = useState(false);
  const run = (work: () => Promise<void>): void => {
    setPending(true);
    work()
      .then(() => setError(null))
      .catch((problem: unknown) => {
        if (!(problem instanceof ApiError)) throw problem;
        setError(problem);
      })
      .finally(() => setPending(false));
  };
  return { run, error, isPending };
}
