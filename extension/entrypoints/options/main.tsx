import { show } from "@/lib/ui/show";
import { Options } from "./options";
import "@/lib/ui/page.css";

show(<Options />);
