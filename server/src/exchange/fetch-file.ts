import type { Agent } from 'undici';
import { secretHeader } from './protocol.ts';

/** Null when the web process has no such file. */
export async function fetchFileFromWeb(
  web: Agent,
  origin: string,
  secret: string,
  fileId: string,
): Promise<Uint8Array | null> {
  const response = await web.request({
    origin,
    method: 'GET',
    path: `/carriers/sandbox/files/${encodeURIComponent(fileId)}`,
    headers: { [secretHeader]: secret },
  });
  if (response.statusCode === 200) return new Uint8Array(await response.body.arrayBuffer());
  await response.body.dump();
  return null;
}
