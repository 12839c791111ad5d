import type { Settings } from '../platform/settings.ts';

type ExposureSettings = Pick<
  Settings,
  'production' | 'host' | 'carriers' | 'demo' | 'metricsToken'
>;

/**
 * What can be reached without an account beyond the product itself, one sentence each, for the
 * operator; empty when it is only open to this machine.
 */
export function exposureWarnings({
  production,
  host,
  carriers,
  demo,
  metricsToken,
}: ExposureSettings): string[] {
  if (!production) {
    if (/^(127\.|localhost$|::1$)/.test(host)) return [];
    return [
      `Open to anyone who reaches ${host}: the sandbox carrier, the mail page at /dev/outbox${demo ? ' and sign-in as the demo’s people' : ''}. NODE_ENV=production closes them`,
    ];
  }
  const sandbox = carriers.includes('sandbox');
  return [
    sandbox
      ? 'Open to anyone: /sandbox and /handset, because CARRIER names sandbox'
      : 'Closed: /sandbox and /handset',
    metricsToken ? 'Open with METRICS_TOKEN: /metrics' : 'Closed: /metrics. METRICS_TOKEN opens it',
    ...(demo ? ['Open to anyone: sign-in as the demo’s people, because DEMO=1'] : []),
  ];
}
