/**
 * For tests: Bandwidth's registries. Toll-free verification is checked by Bandwidth's published
 * document first; brands, campaigns and port orders are in no document, so a small Dashboard after
 * its public pages keeps them.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { XMLParser } from 'fast-xml-parser';

const load = createRequire(import.meta.url);
const { createServer: createPrism } = load('@stoplight/prism-http-server') as {
  createServer(
    operations: unknown,
    options: object,
  ): { listen(port: number, host: string): Promise<string>; close(): Promise<void> };
};
const { getHttpOperationsFromSpec } = load('@stoplight/prism-http/dist/utils/operations.js') as {
  getHttpOperationsFromSpec(document: string): Promise<unknown>;
};
const silentLogger: Record<string, unknown> = {
  ...Object.fromEntries(
    ['trace', 'debug', 'info', 'start', 'success', 'warn', 'error', 'fatal'].map((l) => [
      l,
      () => {},
    ]),
  ),
  child: () => silentLogger,
};
type Xml = Record<string, unknown>;

export async function mockBandwidthDashboard() {
  const prism = createPrism(
    await getHttpOperationsFromSpec(load.resolve('bandwidth-sdk/bandwidth.yml')),
    {
      components: { logger: silentLogger },
      cors: false,
      config: {
        checkSecurity: false,
        validateRequest: true,
        validateResponse: false,
        mock: { dynamic: false },
        isProxy: false,
        errors: false,
        upstreamProxy: undefined,
      },
    },
  );
  const document = await prism.listen(0, '127.0.0.1');
  const state = {
    away: false,
    /** The path whose POSTs take effect while their responses are lost. */ losing: null as
      | string
      | null,
    brands: new Map<string, { facts: Xml; identity: string; score: number | null }>(),
    campaigns: new Map<string, { facts: Xml; status: string; sharing: string; why: string }>(),
    options: new Map<string, string>(),
    verifications: new Map<string, Record<string, unknown>>(),
    begun: 0,
    ports: new Map<
      string,
      { key: string; facts: Xml; status: string; foc: string; errors: string; documents: string[] }
    >(),
    keptBack: new Set<string>(),
    violations: [] as string[],
  };
  const parser = new XMLParser({ parseTagValue: false });
  const inner = (body: string, root: string): Xml =>
    (parser.parse(body) as Record<string, Xml>)[root] ?? {};
  const xml = (status: number, text: string) => ({
    status,
    type: 'application/xml',
    body: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${text}`,
  });
  const refuse = (root: string, code: number, words: string) =>
    xml(
      400,
      `<${root}><ResponseStatus><ErrorCode>${code}</ErrorCode><Description>${words}</Description></ResponseStatus></${root}>`,
    );

  function dashboard(method: string, url: URL, body: string) {
    const path = url.pathname.replace(/^\/dashboard\/accounts\/9900000/, '');
    let m: RegExpExecArray | null;
    const brandXml = (id: string) => {
      const b = state.brands.get(id)!;
      return `<BrandResponse><Brand><BrandId>${id}</BrandId><CompanyName>${String(b.facts['CompanyName'])}</CompanyName><Ein>${String(b.facts['Ein'])}</Ein><IdentityStatus>${b.identity}</IdentityStatus>${b.score ? `<VettingScore>${b.score}</VettingScore>` : ''}</Brand></BrandResponse>`;
    };
    const campaignXml = (id: string) => {
      const c = state.campaigns.get(id)!;
      return `<CampaignResponse><Campaign><CampaignId>${id}</CampaignId><Status>${c.status}</Status><SecondaryDcaSharingStatus>${c.sharing}</SecondaryDcaSharingStatus>${c.why ? `<SecondaryDcaExplanation>${c.why}</SecondaryDcaExplanation>` : ''}</Campaign></CampaignResponse>`;
    };
    if (path === '/campaignManagement/10dlc/brands' && method === 'POST') {
      const facts = inner(body, 'Brand');
      for (const field of [
        'EntityType',
        'City',
        'CompanyName',
        'Country',
        'DisplayName',
        'Ein',
        'Email',
        'Phone',
        'PostalCode',
        'State',
        'Street',
        'Vertical',
        'IsMain',
      ])
        if (!facts[field]) return refuse('BrandResponse', 1003, `${field} is required`);
      const id = `B${String(state.brands.size + 1).padStart(6, '0')}`;
      state.brands.set(id, { facts, identity: '', score: null });
      return xml(201, brandXml(id));
    }
    if (path === '/campaignManagement/10dlc/brands/details')
      return xml(
        200,
        `<BrandsResponse><Brands>${[...state.brands.keys()].map((id) => brandXml(id).replace(/<\/?BrandResponse>/g, '')).join('')}</Brands></BrandsResponse>`,
      );
    if (
      (m = /^\/campaignManagement\/10dlc\/brands\/(\w+)(\/revet)?$/.exec(path)) &&
      state.brands.has(m[1]!)
    ) {
      const brand = state.brands.get(m[1]!)!;
      if (method === 'PUT') {
        if (m[2]) brand.identity = '';
        else brand.facts = inner(body, 'Brand');
      }
      return xml(200, brandXml(m[1]!));
    }
    if (path === '/campaignManagement/10dlc/campaigns' && method === 'POST') {
      const facts = inner(body, 'Campaign');
      for (const field of ['BrandId', 'Description', 'Usecase', 'Sample1', 'MessageFlow'])
        if (!facts[field]) return refuse('CampaignResponse', 1003, `${field} is required`);
      const id = `C${String(state.campaigns.size + 1).padStart(6, '0')}`;
      state.campaigns.set(id, { facts, status: 'ACTIVE', sharing: 'PENDING', why: '' });
      return xml(201, campaignXml(id));
    }
    if (
      (m = /^\/campaignManagement\/10dlc\/campaigns\/(\w+)(\/revet)?$/.exec(path)) &&
      state.campaigns.has(m[1]!)
    ) {
      const c = state.campaigns.get(m[1]!)!;
      if (method === 'DELETE') {
        c.status = 'DEACTIVATED';
        return xml(204, '');
      }
      if (method === 'PUT') {
        if (m[2]) Object.assign(c, { sharing: 'PENDING', why: '' });
        else c.facts = inner(body, 'Campaign');
      }
      return xml(200, campaignXml(m[1]!));
    }
    if (path === '/tnoptions' && method === 'POST') {
      const group = ((inner(body, 'TnOptionOrder')['TnOptionGroups'] as Xml)['TnOptionGroup'] ??
        {}) as Xml;
      const settings = group['A2pSettings'] as Xml;
      for (const tn of [(group['TelephoneNumbers'] as Xml)['TelephoneNumber']].flat())
        if (settings['Action'] === 'delete') state.options.delete(String(tn));
        else state.options.set(String(tn), String(settings['CampaignId']));
      return xml(
        201,
        '<TnOptionOrderResponse><TnOptionOrder><ProcessingStatus>RECEIVED</ProcessingStatus></TnOptionOrder></TnOptionOrderResponse>',
      );
    }
    if (path === '/lnpchecker') {
      const asked = [(inner(body, 'NumberPortabilityRequest')['TnList'] as Xml)['Tn']]
        .flat()
        .map(String);
      const [no, yes] = [
        asked.filter((n) => state.keptBack.has(n)),
        asked.filter((n) => !state.keptBack.has(n)),
      ];
      const tns = (of: string[]) => `<TnList>${of.map((n) => `<Tn>${n}</Tn>`).join('')}</TnList>`;
      return xml(
        200,
        `<NumberPortabilityResponse><SupportedRateCenters>${yes.length ? `<RateCenterGroup><RateCenter>BOSTON</RateCenter><State>MA</State>${tns(yes)}</RateCenterGroup>` : ''}</SupportedRateCenters><SupportedLosingCarriers>${yes.length ? `<LosingCarrierTnList><LosingCarrierName>Old Bell</LosingCarrierName>${tns(yes)}</LosingCarrierTnList>` : ''}</SupportedLosingCarriers><UnsupportedLosingCarriers>${no.length ? `<LosingCarrierTnList>${tns(no)}</LosingCarrierTnList>` : ''}</UnsupportedLosingCarriers></NumberPortabilityResponse>`,
      );
    }
    const portXml = (id: string) => {
      const p = state.ports.get(id)!;
      return `<LnpOrderResponse><OrderId>${id}</OrderId><CustomerOrderId>${p.key}</CustomerOrderId><ProcessingStatus>${p.status}</ProcessingStatus>${p.foc ? `<ActualFocDate>${p.foc}</ActualFocDate>` : ''}${p.errors ? `<Errors><Error><Code>7205</Code><Description>${p.errors}</Description></Error></Errors>` : ''}</LnpOrderResponse>`;
    };
    if (path === '/portins' && method === 'GET')
      return xml(
        200,
        `<LNPResponseWrapper>${[...state.ports]
          .filter(([, p]) => p.key === url.searchParams.get('customerOrderId'))
          .map(
            ([id, p]) =>
              `<lnpPortInfoForGivenStatus><OrderId>${id}</OrderId><CustomerOrderId>${p.key}</CustomerOrderId><ProcessingStatus>${p.status}</ProcessingStatus></lnpPortInfoForGivenStatus>`,
          )
          .join('')}</LNPResponseWrapper>`,
      );
    if (path === '/portins' && method === 'POST') {
      const facts = inner(body, 'LnpOrder');
      for (const field of [
        'SiteId',
        'BillingTelephoneNumber',
        'Subscriber',
        'LoaAuthorizingPerson',
        'ListOfPhoneNumbers',
      ])
        if (!facts[field]) return refuse('LnpOrderResponse', 7201, `${field} is required`);
      const id = `order-${state.ports.size + 1}`;
      state.ports.set(id, {
        key: String(facts['CustomerOrderId']),
        facts,
        status: 'PENDING_DOCUMENTS',
        foc: '',
        errors: '',
        documents: [],
      });
      return xml(201, portXml(id));
    }
    if ((m = /^\/portins\/([\w-]+)(\/loas)?$/.exec(path))) {
      const port = state.ports.get(m[1]!);
      if (!port) return xml(404, '<LnpOrderResponse/>');
      if (m[2]) {
        port.documents.push(url.searchParams.get('documentType') ?? '');
        if (port.status === 'PENDING_DOCUMENTS') port.status = 'SUBMITTED';
        return xml(201, '<fileUploadResponse><resultCode>0</resultCode></fileUploadResponse>');
      }
      if (method === 'PUT') {
        Object.assign(port, {
          facts: { ...port.facts, ...inner(body, 'LnpOrderSupp') },
          status: 'REQUESTED_SUPP',
          errors: '',
        });
        return xml(200, portXml(m[1]!));
      }
      if (method === 'DELETE') {
        if (port.status === 'COMPLETE')
          return refuse('LnpOrderResponse', 7300, 'The order is complete');
        port.status = 'CANCELLED';
        return xml(200, '');
      }
      return xml(200, portXml(m[1]!));
    }
    state.violations.push(`nobody answers ${method} ${path}`);
    return xml(404, '<Error/>');
  }

  function tollFree(
    method: string,
    url: URL,
    body: string,
  ): { status: number; body: string; type: string } {
    const said = (status: number, of?: unknown) => ({
      status,
      type: 'application/json',
      body: of === undefined ? '' : JSON.stringify(of),
    });
    if (method === 'POST') {
      for (const number of (JSON.parse(body) as { phoneNumbers: string[] }).phoneNumbers) {
        state.begun++;
        state.verifications.set(number, {
          phoneNumber: number,
          status: 'PENDING',
          resubmitAllowed: true,
        });
      }
      return said(202);
    }
    const number = decodeURIComponent(/phoneNumbers\/([^/]+)\//.exec(url.pathname)?.[1] ?? '');
    const row = state.verifications.get(number);
    if (!row) return said(404, { type: 'not_found', description: 'There is none.' });
    if (method === 'DELETE') {
      state.verifications.delete(number);
      return said(204);
    }
    if (method === 'PUT') {
      Object.assign(row, { status: 'PENDING' });
      return said(202, {});
    }
    return said(200, row);
  }

  const server = createServer(async (request, reply) => {
    if (state.away) return void request.socket.destroy();
    const url = new URL(request.url!, 'http://x');
    const body = await readRequest(request);
    let said: { status: number; type: string; body: string };
    if (url.pathname.startsWith('/tollFree/')) {
      const path = url.pathname.slice('/tollFree'.length);
      const checked = await fetch(document + path, {
        method: request.method!,
        headers: {
          accept: 'application/json',
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body } : {}),
      });
      const words =
        checked.status === 422 || checked.headers.get('sl-violations')
          ? `${request.method} ${path}: ${await checked.text()} ${checked.headers.get('sl-violations') ?? ''}`
          : null;
      if (words) state.violations.push(words);
      said = words
        ? {
            status: 400,
            type: 'application/json',
            body: JSON.stringify({
              type: 'validation',
              description: 'The document does not allow this.',
            }),
          }
        : tollFree(request.method!, url, body);
    } else said = dashboard(request.method!, url, body);
    if (state.losing !== null && request.method === 'POST' && url.pathname.endsWith(state.losing))
      return void request.socket.destroy();
    reply.writeHead(said.status, { 'content-type': said.type }).end(said.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await prism.close();
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
