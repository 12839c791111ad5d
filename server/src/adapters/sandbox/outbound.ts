import type { Outbound, OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import type { GatewayServices } from '../adapter.ts';
import { answerHubspot, hubspotHost } from '../oauth-sandbox/hubspot-account.ts';
import {
  adsHost,
  answerDataManager,
  answerGoogleAds,
  dataManagerHost,
} from '../oauth-sandbox/google-account.ts';
import { answerHighLevel, highLevelHost } from '../oauth-sandbox/gohighlevel-account.ts';
import { answerMeta, metaHost } from '../oauth-sandbox/meta-account.ts';
import { answerMicrosoft, campaignHost, customerHost } from '../oauth-sandbox/microsoft-account.ts';
import { answerSalesforce } from '../oauth-sandbox/salesforce-org.ts';
import { answerSlack, slackHost } from '../oauth-sandbox/slack-workspace.ts';

/** Receivers that look at what they are sent, by their host. */
const receivers: Readonly<
  Record<string, (services: GatewayServices, request: OutboundRequest) => Promise<OutboundAnswer>>
> = {
  [slackHost]: answerSlack,
  [hubspotHost]: answerHubspot,
  [highLevelHost]: answerHighLevel,
  [metaHost]: answerMeta,
  [dataManagerHost]: answerDataManager,
  [adsHost]: answerGoogleAds,
  [campaignHost]: answerMicrosoft,
  [customerHost]: answerMicrosoft,
};

/**
 * Simulated receivers: nothing leaves this machine. They take everything, except at an address that
 * names a status: `https://crm.example/status/503` answers with it.
 */
export const sandboxOutbound = (services: GatewayServices): Outbound => ({
  name: 'sandbox',
  send: async (request) => {
    const { url } = request;
    const host = URL.canParse(url) ? new URL(url).hostname : '';
    // Each org has a host of its own.
    const receiver = host.endsWith('.salesforce.com') ? answerSalesforce : receivers[host];
    if (receiver) return receiver(services, request);
    const status = Number(/status[/-](\d{3})/.exec(url)?.[1] ?? 200);
    return { status, body: status < 300 ? 'simulated' : '', retryAfterSeconds: null };
  },
});
