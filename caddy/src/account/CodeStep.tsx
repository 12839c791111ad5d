import { Stack, Text } from '@mantine/core';
import { CodeEntry, ResendCode, t, type ApiError } from '#ui';

export interface Sent {
  masked: string;
  /** From when another code can be sent, in ms since 1970. */
  resendAt: number;
}

interface CodeStepProps {
  sent: Sent;
  submitLabel: string;
  submitColor?: string;
  error: ApiError | null;
  isPending: boolean;
  /** Goes on with the code; without one, sends another. */
  send: (code?: string) => Promise<void>;
  onChangeAddress?: () => void;
}

/** What a signed-in person changes by a code: the code that was sent. */
export const CodeStep = ({ sent, error, isPending, send, ...props }: CodeStepProps) => (
  <Stack gap="sm">
    <Text>{t('We sent a six-digit code to {to}.', { to: sent.masked })}</Text>
    <CodeEntry
      submitLabel={props.submitLabel}
      {...(props.submitColor && { submitColor: props.submitColor })}
      errorText={isPending ? null : error?.text}
      isPending={isPending}
      onSubmit={(code) => void send(code)}
    />
    <ResendCode
      at={sent.resendAt}
      isPending={isPending}
      onResend={() => void send()}
      {...(props.onChangeAddress && { onChangeAddress: props.onChangeAddress })}
    />
  </Stack>
);

/** What the server says of a code it sent, as the step shows it. */
export const sentOf = (data: { masked: string; resend_in: number }): Sent => ({
  masked: data.masked,
  resendAt: Date.now() + data.resend_in * 1000,
});
