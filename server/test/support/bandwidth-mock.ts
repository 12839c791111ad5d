/**
 * For tests: Bandwidth's messaging and voice APIs from its own published document, which every
 * request is checked against, and a small Dashboard that keeps orders.
 */
import { createRequire } from 'node:module';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer as createPrism } from '@stoplight/prism-http-server';
import { XMLParser } from 'fast-xml-parser';

const document = createRequire(import.meta.url).resolve('bandwidth-sdk/bandwidth.yml');
// Prism asks for all of pino's logger, and calls only these.
const silent = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  success() {},
  trace() {},
  fatal() {},
  child: () => silent,
} as never;

interface RecordedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
  authorization: string | undefined;
}

export async function startBandwidthMock() {
  const prism = createPrism(await getHttpOperationsFromSpec(document), {
    components: { logger: silent },
    cors: false,
    config: {
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      mock: { dynamic: false },
      isProxy: false,
      errors: false,
      upstreamProxy: undefined,
    },
  });
  const prismUrl = await prism.listen(0, '127.0.0.1');
  const requests: RecordedRequest[] = [];
  const state = {
    /**
     * What messaging answers instead of the document's examples; `hangUp`: reads the request and
     * never answers.
     */
    messaging: null as null | { status: number; body: unknown } | 'hangUp',
    /** What our voice requests contained that the document does not allow. */
    violations: [] as string[],
    /** Every voice request is answered 503 and does nothing. */
    voiceAway: false,
    numbers: [] as string[],
    orders: new Map<string, { key: string; number: string; status: string; asked: number }>(),
    ours: new Set<string>(),
    hangUpOnOrder: false,
  };

  const server: Server = createServer(async (request, reply) => {
    const url = new URL(request.url!, 'http://x');
    const body = await read(request);
    requests.push({
      method: request.method!,
      path: url.pathname,
      query: url.searchParams,
      body,
      authorization: request.headers.authorization,
    });
    if (url.pathname.startsWith('/messaging/')) {
      if (state.messaging === 'hangUp') return void request.socket.destroy();
      // The document's verdict comes first, whatever the test wants answered.
      const checked = await fetch(
        `${prismUrl}${url.pathname.slice('/messaging'.length)}${url.search}`,
        {
          method: request.method!,
          headers: {
            authorization: request.headers.authorization ?? '',
            accept: 'application/json',
            ...(body ? { 'content-type': String(request.headers['content-type']) } : {}),
          },
          ...(body ? { body } : {}),
        },
      );
      const answer =
        checked.status >= 300 || !state.messaging
          ? {
              status: checked.status,
              body: (await checked.text()).replace(
                /"id":"[^"]*"/,
                `"id":"message-${requests.length}-${Date.now()}"`,
              ),
            }
          : { status: state.messaging.status, body: JSON.stringify(state.messaging.body) };
      return void reply
        .writeHead(answer.status, { 'content-type': 'application/json' })
        .end(answer.body);
    }
    if (url.pathname.startsWith('/voice/')) {
      if (state.voiceAway)
        return void reply
          .writeHead(503, { 'content-type': 'application/json' })
          .end('{"type":"service-unavailable","description":"away"}');
      const checked = await fetch(
        `${prismUrl}${url.pathname.slice('/voice'.length)}${url.search}`,
        {
          method: request.method!,
          headers: {
            authorization: request.headers.authorization ?? '',
            accept: 'application/json, */*;q=0.1',
            ...(body ? { 'content-type': String(request.headers['content-type']) } : {}),
          },
          ...(body ? { body } : {}),
        },
      );
      // The document's examples give every call the same id; Bandwidth gives each its own.
      const text = (await checked.text()).replace(
        /"callId":"[^"]*"/g,
        `"callId":"c-${requests.length}-${Date.now()}"`,
      );
      state.violations.push(
        ...[
          checked.headers.get('sl-violations') ?? '',
          checked.status >= 400
            ? `${request.method} ${url.pathname}: ${checked.status} ${text}`
            : '',
        ].filter(Boolean),
      );
      return void reply
        .writeHead(checked.status, {
          'content-type': checked.headers.get('content-type') ?? 'application/json',
        })
        .end(checked.status === 204 ? undefined : text);
    }
    const said = dashboard(request.method!, url, body);
    if (!said) return void request.socket.destroy();
    reply
      .writeHead(said.status, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${said.xml}`);
  });

  const dashboard = (
    method: string,
    url: URL,
    body: string,
  ): { status: number; xml: string } | null => {
    const path = url.pathname.replace(/^\/dashboard\/accounts\/9900000/, '');
    if (path === '/availableNumbers') {
      const { areaCode, localVanity } = Object.fromEntries(url.searchParams) as Record<
        string,
        string
      >;
      const found = state.numbers.filter(
        (n) =>
          (!areaCode || n.startsWith(areaCode)) &&
          (!localVanity || n.slice(3).includes(localVanity)),
      );
      return {
        status: 200,
        xml: `<SearchResult><ResultCount>${found.length}</ResultCount><TelephoneNumberDetailList>${found.map((n) => `<TelephoneNumberDetail><City>RALEIGH</City><LATA>426</LATA><RateCenter>RALEIGH</RateCenter><State>NC</State><FullNumber>${n}</FullNumber><Tier>0</Tier><VendorId>49</VendorId><VendorName>Bandwidth CLEC</VendorName><TelephoneNumber>${n}</TelephoneNumber></TelephoneNumberDetail>`).join('')}</TelephoneNumberDetailList></SearchResult>`,
      };
    }
    if (path === '/orders' && method === 'POST') {
      const { Order: order } = new XMLParser({ parseTagValue: false }).parse(body) as {
        Order: {
          CustomerOrderId: string;
          ExistingTelephoneNumberOrderType: { TelephoneNumberList: { TelephoneNumber: string } };
        };
      };
      const number = order.ExistingTelephoneNumberOrderType.TelephoneNumberList.TelephoneNumber;
      const id = `order-${state.orders.size + 1}`;
      state.orders.set(id, {
        key: order.CustomerOrderId,
        number,
        status: state.numbers.includes(number) ? 'COMPLETE' : 'FAILED',
        asked: 0,
      });
      if (state.hangUpOnOrder) {
        state.hangUpOnOrder = false;
        return null;
      }
      return {
        status: 201,
        xml: `<OrderResponse><Order><Name>x</Name><CustomerOrderId>${order.CustomerOrderId}</CustomerOrderId><id>${id}</id><SiteId>2297</SiteId></Order><OrderStatus>RECEIVED</OrderStatus></OrderResponse>`,
      };
    }
    if (path === '/orders') {
      const key = url.searchParams.get('customerOrderId');
      const rows = [...state.orders].filter(([, o]) => o.key === key);
      return {
        status: 200,
        xml: `<ResponseSelectWrapper><ListOrderIdUserIdDate><TotalCount>${rows.length}</TotalCount>${rows.map(([id, o]) => `<OrderIdUserIdDate><CountOfTNs>1</CountOfTNs><CustomerOrderId>${o.key}</CustomerOrderId><orderId>${id}</orderId><OrderStatus>${o.status}</OrderStatus></OrderIdUserIdDate>`).join('')}</ListOrderIdUserIdDate></ResponseSelectWrapper>`,
      };
    }
    const order = state.orders.get(path.replace('/orders/', ''));
    if (order) {
      const running = order.asked++ < 2;
      if (!running && order.status === 'COMPLETE') {
        state.ours.add(order.number);
        state.numbers = state.numbers.filter((n) => n !== order.number);
      }
      return {
        status: 200,
        xml: `<OrderResponse><CompletedQuantity>1</CompletedQuantity><OrderStatus>${running ? 'PROCESSING' : order.status}</OrderStatus></OrderResponse>`,
      };
    }
    if (path === '/disconnects' && method === 'POST') {
      const number = /<TelephoneNumber>(\d{10})</.exec(body)?.[1] ?? '';
      return state.ours.delete(number)
        ? {
            status: 201,
            xml: '<DisconnectTelephoneNumberOrderResponse><orderRequest><id>d1</id></orderRequest><OrderStatus>RECEIVED</OrderStatus></DisconnectTelephoneNumberOrderResponse>',
          }
        : {
            status: 400,
            xml: '<DisconnectTelephoneNumberOrderResponse><ErrorList><Error><Code>5006</Code><Description>Telephone number could not be disconnected since it is not associated with your account</Description></Error></ErrorList></DisconnectTelephoneNumberOrderResponse>',
          };
    }
    return { status: 404, xml: '<Error/>' };
  };

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    asked: requests,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await prism.close();
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
