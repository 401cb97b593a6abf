/** What the server refused, in its own words; `status` is 0 when nobody answered. */
export class RememFailure extends Error {
  override readonly name = "RememFailure";

  constructor(
    readonly status: number,
    message: string,
    /** Stable, for programs: `not_found`, `rate_limited`, `limit_exceeded`, … */
    readonly code: string,
    readonly details?: unknown,
    readonly retryAfterSeconds?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

type Problem = { error?: string; code?: string; details?: unknown };

export function failureOf(response: Response, problem: Problem | undefined): RememFailure {
  return new RememFailure(
    response.status,
    problem?.error ?? `The server answered ${response.status}.`,
    problem?.code ?? "http_error",
    problem?.details,
    secondsOf(response),
  );
}

/** A server of ours gives seconds; a proxy before it may give a date, which is passed over. */
export function secondsOf(response: Response): number | undefined {
  const text = response.headers.get("Retry-After");
  return text && /^\d+$/.test(text) ? Number(text) : undefined;
}
