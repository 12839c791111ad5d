/** A request with its JSON in lines; null: nothing was sent. */
export function readable(request: string | null): string | null {
  const [head, body] = request?.split('\n\n') ?? [];
  if (!head || !body) return request;
  try {
    return `${head}\n\n${JSON.stringify(JSON.parse(body), null, 2)}`;
  } catch {
    return request;
  }
}
