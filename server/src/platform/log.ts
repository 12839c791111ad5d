import { pino, type Logger } from 'pino';

export type Log = Logger;

/** Structured logs. Secrets and card numbers are never logged. */
export function createLogger(level: string, role: string): Log {
  return pino({
    level,
    base: { role },
    redact: {
      paths: [
        '*.password',
        '*.token',
        '*.access_token',
        '*.refresh_token',
        '*.cc_number',
        '*.cc_cvc',
        '*.sip_password',
        'password',
        'token',
        'req.headers.authorization',
        'req.headers.cookie',
        'headers.authorization',
        'headers.cookie',
      ],
      censor: '[redacted]',
    },
  });
}
