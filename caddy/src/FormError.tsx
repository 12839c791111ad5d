import { Alert } from '@mantine/core';
import type { ApiError } from '#ui';

/** What no field of a form shows: the error in the server's words. */
export const FormError = ({ error }: { error: ApiError | null }) =>
  error && (
    <Alert color="red" role="alert">
      {error.text}
    </Alert>
  );
