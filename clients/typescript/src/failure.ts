/** A failed request, with the server's message; `status` is 0 if the server did not answer. */
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

/** The seconds of `Retry-After`. A proxy may send a date instead, which is ignored. */
export function secondsOf(response: Response): number | undefined {
  const text = response.headers.get("Retry-After");
  return text && /^\d+$/.test(text) ? Number(text) : undefined;
}
