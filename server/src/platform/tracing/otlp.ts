import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Settings } from '../settings.ts';
import { recordSpansWith, type Recorder, type SpanFacts } from './spans.ts';

/** How long the end of a process waits for the collector. */
const longestEndMs = 2_000;

/**
 * Sends the spans of this process by OTLP over HTTP, in batches, in the background. A collector that
 * is away costs the spans meanwhile and nothing else. Loaded only where tracing is on.
 * @param role of the process
 * @returns ends it, after what is left was sent
 */
export function startTracing(
  { endpoint, headers, share }: NonNullable<Settings['tracing']>,
  role: string,
): () => Promise<void> {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: 5_000,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'trunkline',
      'service.instance.id': `${role}-${process.pid}`,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1_000 })],
  });
  recordSpansWith(recorderOf(provider));
  return async () => {
    recordSpansWith(null);
    // A collector that is away must not hold up the end of the process.
    await Promise.race([provider.shutdown().catch(() => {}), pause(longestEndMs)]);
  };
}

function recorderOf(provider: BasicTracerProvider): Recorder {
  const tracer = provider.getTracer('trunkline');
  const running = new AsyncLocalStorage<Span>();
  const begin = (name: string, facts: SpanFacts, parent?: string | null, startTime?: Date) =>
    tracer.startSpan(
      name,
      { attributes: attributesOf(facts), ...(startTime && { startTime }) },
      contextOf(parent, running.getStore()),
    );
  return {
    open: (name, facts, parent) => {
      const span = begin(name, facts, parent);
      return {
        within: (work) => running.run(span, work),
        end: (more, isFailed) => {
          span.setAttributes(attributesOf(more));
          if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    past: (name, facts, parent, from) => begin(name, facts, parent, from).end(),
    current: () => {
      const at = running.getStore()?.spanContext();
      return at && at.traceFlags & TraceFlags.SAMPLED ? `00-${at.traceId}-${at.spanId}-01` : null;
    },
  };
}

function contextOf(parent: string | null | undefined, running: Span | undefined): Context {
  if (parent === undefined) return running ? trace.setSpan(ROOT_CONTEXT, running) : ROOT_CONTEXT;
  const [, traceId, spanId] = /^00-([\da-f]{32})-([\da-f]{16})-01$/.exec(parent ?? '') ?? [];
  return traceId && spanId
    ? trace.setSpanContext(ROOT_CONTEXT, {
        ...{ traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true },
      })
    : ROOT_CONTEXT;
}

/** Names by the conventions of OpenTelemetry where they have one, so that its tools know them. */
const attributeNames: Readonly<Record<keyof SpanFacts, string>> = {
  route: 'http.route',
  method: 'http.request.method',
  status: 'http.response.status_code',
  lane: 'trunkline.lane',
  access: 'trunkline.access',
  job: 'trunkline.job',
  queue: 'trunkline.queue',
  attempt: 'trunkline.attempt',
  event: 'trunkline.event',
  channel: 'trunkline.channel',
  request: 'trunkline.request_id',
};

const attributesOf = (facts: SpanFacts): Attributes =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      attributeNames[name as keyof SpanFacts],
      value as string | number,
    ]),
  );
