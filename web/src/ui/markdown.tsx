import { ImageOff } from "lucide-react";
import { type ComponentProps, createContext, lazy, Suspense, useContext } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { BASE_PATH } from "~/lib/base";
import { hostOf } from "~/lib/format";
import { t } from "~/lib/language";
import { headingId } from "./headings";

const Code = lazy(() => import("./code"));

/** Allows only the elements of Markdown; no styles, frames, or classes except those of code fences. */
const schema = {
  ...defaultSchema,
  attributes: {
    ...defaultSchema.attributes,
    code: [["className", /^language-[\w+#-]+$/]],
  },
  clobberPrefix: "text-",
} as typeof defaultSchema;

const ORIGINAL = /^\/v3\/documents\/[0-9a-f-]{36}\/original$/;

/** The URL of an image that is the original of a document. A request to any other path of this server may have effects. */
function originalOf(address: string): string | undefined {
  try {
    const url = new URL(address, window.location.origin);
    const path = url.pathname.startsWith(`${BASE_PATH}/`)
      ? url.pathname.slice(BASE_PATH.length)
      : url.pathname;
    const isOriginal = url.origin === window.location.origin && ORIGINAL.test(path);
    return isOriginal ? BASE_PATH + path + url.search : undefined;
  } catch {
    return undefined;
  }
}

function Link({ href, children }: ComponentProps<"a">) {
  if (!href) return <span>{children}</span>;
  if (href.startsWith("#")) return <a href={href}>{children}</a>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** Images of other sites are never fetched: a request tells that site who reads what, and when. */
function Image({ src, alt }: ComponentProps<"img">) {
  const url = typeof src === "string" ? src : "";
  const original = url && originalOf(url);
  if (original) return <img src={original} alt={alt ?? ""} loading="lazy" />;
  return (
    <span
      data-not-text
      className="inline-flex items-center gap-1.5 rounded-md border bg-raised px-2 py-0.5 text-sm text-muted"
    >
      <ImageOff size={14} aria-hidden />
      {alt || t("Picture")}
      {/^https?:/.test(url) && <span> · {t("{host}, not loaded", { host: hostOf(url) })}</span>}
    </span>
  );
}

function Fence({ className, children }: ComponentProps<"code">) {
  const language = /language-([\w+#-]+)/.exec(className ?? "")?.[1];
  if (!language) return <code>{children}</code>;
  const text = String(children).replace(/\n$/, "");
  return (
    <Suspense fallback={<code>{text}</code>}>
      <Code text={text} language={language} />
    </Suspense>
  );
}

const heading = (Tag: "h1" | "h2" | "h3" | "h4") =>
  function Heading({ children }: { children?: React.ReactNode }) {
    return <Tag id={headingId(textOf(children))}>{children}</Tag>;
  };

function textOf(node: React.ReactNode): string {
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (Array.isArray(node)) return node.map(textOf).join("");
  if (node && typeof node === "object" && "props" in node) {
    return textOf((node.props as { children?: React.ReactNode }).children);
  }
  return "";
}

type OnTick = (index: number, isTicked: boolean) => void;
const Ticking = createContext<OnTick | undefined>(undefined);

/** The box of a task; it can be ticked where the text can be changed. */
function Box({ checked }: ComponentProps<"input">) {
  const onTick = useContext(Ticking);
  return (
    <input
      type="checkbox"
      checked={checked ?? false}
      disabled={!onTick}
      aria-label={t("Task")}
      className="me-2 size-4 align-[-2px] accent-(--accent)"
      onChange={({ currentTarget: box }) => {
        const boxes = box.closest(".reading")?.querySelectorAll("input[type=checkbox]") ?? [];
        onTick?.([...boxes].indexOf(box), box.checked);
      }}
    />
  );
}

const components: Components = {
  a: Link,
  img: Image,
  code: Fence,
  h1: heading("h1"),
  h2: heading("h2"),
  h3: heading("h3"),
  h4: heading("h4"),
  input: Box,
};

type Props = {
  text: string;
  /** Called with the number of the box among all boxes of the text. */
  onTick?: OnTick;
};

export function Markdown({ text, onTick }: Props) {
  return (
    <Ticking value={onTick}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[[rehypeSanitize, schema]]}
        components={components}
      >
        {text}
      </ReactMarkdown>
    </Ticking>
  );
}
