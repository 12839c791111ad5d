/**
 * Twilio's own published OpenAPI, served and enforced by Prism: our adapter may only send what
 * Twilio documents.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createRequire } from 'node:module';
import { startPrism } from '../../support/prism.ts';

const load = createRequire(import.meta.url);

interface Schema {
  type?: string;
  nullable?: boolean;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
}
interface Operation {
  requestBody?: { content: Record<string, { schema: Schema; encoding?: Record<string, object> }> };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
  servers?: unknown;
}
/** The part of the account API that we use: loading all of it takes ten times as long. */
const used = /\/(Calls|Recordings|Messages|IncomingPhoneNumbers|AvailablePhoneNumbers)(\/|\.json)/;

/** The fields of TollfreeVerificationListInstanceCreateOptions in twilio 6.2.0. */
const newerTollFree = [
  'BusinessType',
  'BusinessRegistrationNumber',
  'BusinessRegistrationAuthority',
  'BusinessRegistrationCountry',
  'DoingBusinessAs',
];

interface RecordedRequest {
  method: string;
  path: string;
  form: Record<string, string>;
  status: number;
  violations: string;
}

/**
 * Documents to enforce and which of their paths; several become one, as their paths all differ.
 * `instead` answers requests that Twilio's document allowed; without it the document's examples do.
 */
export async function startTwilioSpecMock(
  which: readonly (readonly [name: string, used: RegExp])[] = [['twilio_api_v2010', used]],
  instead?: (asked: {
    method: string;
    url: URL;
    type: string;
    body: Buffer;
  }) => { status: number; body?: unknown } | null,
) {
  const documents = which.map(([name, these]) => {
    const one = JSON.parse(
      readFileSync(load.resolve(`@twilio-alpha/mcp/twilio-oai/spec/json/${name}.json`), 'utf8'),
    ) as Document;
    one.paths = Object.fromEntries(Object.entries(one.paths).filter(([path]) => these.test(path)));
    return one;
  });
  const document: Document = {
    ...documents[0]!,
    paths: Object.assign({}, ...documents.map((d) => d.paths)) as Document['paths'],
    components: {
      ...documents[0]!.components,
      schemas: Object.assign(
        {},
        ...documents.map((d) => d.components.schemas),
      ) as Document['components']['schemas'],
    },
  };
  delete document.servers;
  for (const operations of Object.values(document.paths))
    for (const operation of Object.values(operations))
      for (const body of Object.values(operation?.requestBody?.content ?? {})) {
        // Three repairs the document needs before it can be enforced: lists are sent as repeated
        // fields, …
        for (const [name, property] of Object.entries(body.schema.properties ?? {}))
          if (property.type === 'array')
            body.encoding = {
              ...body.encoding,
              [name]: { style: 'form', explode: true, allowReserved: true },
            };
        // … a toll-free verification has the fields of the official SDK that the document lacks, …
        if (
          body.schema.properties?.['TollfreePhoneNumberSid'] ||
          body.schema.properties?.['EditReason']
        )
          for (const name of newerTollFree) body.schema.properties[name] = { type: 'string' };
        // … and an unknown field is an error of ours.
        if (Object.keys(body.schema.properties ?? {}).length)
          body.schema.additionalProperties = false;
      }
  for (const [name, schema] of Object.entries(document.components.schemas))
    if (name.includes('UseCaseCategories')) delete schema.nullable;

  const { url: behind, close: closePrism } = await startPrism(document);
  const asked: RecordedRequest[] = [];
  const server = createHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on(
      'end',
      () =>
        void (async () => {
          const body = Buffer.concat(chunks);
          const {
            host: _,
            connection: __,
            'content-length': ___,
            'transfer-encoding': ____,
            ...headers
          } = request.headers;
          const answer = await fetch(behind + request.url!, {
            method: request.method!,
            headers: headers as Record<string, string>,
            ...(body.length ? { body } : {}),
          });
          // Its examples give everything the same id and promise pages that do not exist; Twilio's
          // ids are unique.
          const text = (await answer.text())
            .replace(/"next_page_uri":\s*"[^"]*"/g, '"next_page_uri":null')
            .replace(
              /"sid":\s*"([A-Z]{2})[0-9a-fA-F]{32}"/g,
              (_, kind: string) => `"sid":"${kind}${randomBytes(16).toString('hex')}"`,
            );
          asked.push({
            method: request.method!,
            path: request.url!,
            form: Object.fromEntries(new URLSearchParams(body.toString())),
            status: answer.status,
            violations: [
              answer.headers.get('sl-violations') ?? '',
              answer.status >= 400 ? text : '',
            ].join(''),
          });
          const said =
            answer.status < 400
              ? instead?.({
                  method: request.method!,
                  url: new URL(request.url!, 'http://x'),
                  type: String(headers['content-type'] ?? ''),
                  body,
                })
              : undefined;
          if (said === null) return void request.socket.destroy();
          if (said)
            return void response
              .writeHead(said.status, { 'content-type': 'application/json' })
              .end(said.body === undefined ? '' : JSON.stringify(said.body));
          response.writeHead(answer.status, {
            'content-type': answer.headers.get('content-type') ?? 'application/json',
          });
          response.end(answer.status === 204 ? '' : text);
        })(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await closePrism();
    },
  };
}
