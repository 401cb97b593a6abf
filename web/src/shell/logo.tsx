import { BASE_PATH } from "~/lib/base";

export function Logo() {
  return (
    <span className="flex items-center gap-2 font-semibold tracking-tight">
      <img src={`${BASE_PATH}/favicon.svg`} alt="" className="size-5" />
      remem
    </span>
  );
}
