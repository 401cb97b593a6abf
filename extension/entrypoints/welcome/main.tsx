import { show } from "@/lib/ui/show";
import { Welcome } from "./welcome";
import "@/lib/ui/page.css";

show(<Welcome />);
