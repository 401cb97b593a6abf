// The inspector's command line, run again and again in one process: each line of the input has the
// arguments of one run, and each line of the output what it printed or how it failed.
// node inspector.mjs PATH_OF_ITS_COMMAND_LINE
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { runCli } = await import(pathToFileURL(process.argv[2]).href);

async function run(words) {
  const { write } = process.stdout;
  let printed = "";
  process.stdout.write = (text, encoding, done) => {
    printed += text;
    (typeof encoding === "function" ? encoding : done)?.();
    return true;
  };
  try {
    await runCli([process.argv[0], process.argv[2], ...words]);
    return { printed };
  } catch (error) {
    return { failed: String(error?.stack ?? error) };
  } finally {
    process.stdout.write = write;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await run(JSON.parse(line)))}\n`);
}
process.exit(0);
