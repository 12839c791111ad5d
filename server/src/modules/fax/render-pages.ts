import { fork } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faxLimits, type FaxErrorCode } from '#contract/fax/rules';
import type { RenderReply, RenderRequest } from './render-process.ts';
import type { Cover } from './write-pdf.ts';

/** Sizes are in dots. */
export interface RenderedFax {
  pages: { png: Buffer; width: number; height: number }[];
  tiff: Buffer;
  pdf: Buffer;
}
/** `memoryBytes` limits the resident memory of the child process. */
type RenderLimits = { seconds: number; memoryBytes: number };
/** A hundred dense pages take about half a minute and 300 MB. */
const renderLimits: RenderLimits = { seconds: 120, memoryBytes: 900_000_000 };

/**
 * Renders documents into fax pages, or returns why not. A child process does the work with limits
 * on time and memory; if it exceeds them it is killed and the result is `too_complex`.
 */
export async function renderPages(
  documents: readonly Buffer[],
  about: { title: string; cover?: Omit<Cover, 'pages'> | null },
  limits = renderLimits,
): Promise<RenderedFax | { errorCode: FaxErrorCode }> {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-fax-'));
  try {
    const paths: string[] = [];
    for (const [i, bytes] of documents.entries()) {
      const path = join(folder, `document-${i}`);
      paths.push(path);
      await writeFile(path, bytes);
    }
    const rendered = await runRenderProcess(
      {
        folder,
        documents: paths,
        title: about.title,
        cover: about.cover ?? null,
        maxPages: faxLimits.pages,
        maxBytes: limits.memoryBytes,
      },
      limits.seconds,
    );
    if ('errorCode' in rendered) return rendered;
    const pages: RenderedFax['pages'] = [];
    for (const [i, size] of rendered.pages.entries())
      pages.push({ ...size, png: await readFile(join(folder, `page-${i + 1}.png`)) });
    return {
      pages,
      tiff: await readFile(join(folder, 'fax.tiff')),
      pdf: await readFile(join(folder, 'fax.pdf')),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runRenderProcess(request: RenderRequest, seconds: number): Promise<RenderReply> {
  return new Promise((resolve) => {
    const child = fork(join(import.meta.dirname, 'render-process.ts'), [], {
      // No settings or secrets in the environment of a process that parses untrusted files.
      execArgv: ['--import', import.meta.resolve('tsx'), '--max-old-space-size=400'],
      env: { PATH: process.env['PATH'], TMPDIR: tmpdir() },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let reply: RenderReply = { errorCode: 'too_complex' };
    const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
    child.once('message', (rendered) => {
      reply = rendered as RenderReply;
    });
    child.once('error', () => {
      reply = { errorCode: 'too_complex' };
      child.kill('SIGKILL');
    });
    child.once('close', () => {
      clearTimeout(timer);
      resolve(reply);
    });
    child.send(request, () => {});
  });
}
